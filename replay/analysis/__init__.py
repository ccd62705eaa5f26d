"""What the verbs work out about logs, before anything is printed."""
