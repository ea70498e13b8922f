"""What builds and judges boards, tiles and rules: bring-up, plans on paper, models, trials, studies."""
