from weir_lab.cli import main

main()
