"""Every address: what is asked for there, and who may."""
