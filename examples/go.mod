module cardstock.example

go 1.21
