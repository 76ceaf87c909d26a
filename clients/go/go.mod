module fairline

go 1.22
