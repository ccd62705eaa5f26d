"""Text for people: message catalogues, sections of a match, several languages at once, untrusted text made safe."""
