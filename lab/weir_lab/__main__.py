from weir_lab.cli.main import main

main()
