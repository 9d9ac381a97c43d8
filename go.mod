module lookback

go 1.26
