"""What one client may take, and all together: connections, heads, frames, requests, time; the rest is refused at once.

Below the app are `accepting`, `connections` and `protocols`, uvicorn's own with a budget; at its door `turns`,
`rate_limits` and `admission`; within it `fair_lane` and `bot_matches`. `open_files` is what the machine allows.
"""
