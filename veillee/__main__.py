from veillee.cli.main import main

main()
