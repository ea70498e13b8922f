"""What people say at the table: answers, votes, corrections, what they saw in the dark, and who leaves."""
