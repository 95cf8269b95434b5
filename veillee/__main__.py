from veillee.cli import main

main()
