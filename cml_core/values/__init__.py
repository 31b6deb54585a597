"""What a fit is made of: labelled, frozen values, and the doors that numbers come in by."""
