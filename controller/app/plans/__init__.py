"""Plans for makers: pin tables, harness, parts and checklist of a build."""
