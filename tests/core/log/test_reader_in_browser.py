"""The reader in JavaScript (`core/web/table/reader/kifu.mjs`) in a browser, where a frontend would have it."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
ADDRESS = "http://kifu.test"

READ = """async (paths) => {
    const { readLog } = await import("/core/web/table/reader/kifu.mjs");
    const results = [];
    for (const path of paths) {
        const data = new Uint8Array(await (await fetch(path)).arrayBuffer());
        const fine = readLog(data);
        data[data.length - 1] ^= 1;
        results.push([fine.events.length, fine.findings.length, readLog(data).findings[0].kind]);
    }
    return results;
}"""


def test_a_browser_reads_logs_and_finds_what_was_changed(browser):
    wrong = []
    tab = browser.new_page()
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.route(f"{ADDRESS}/**", lambda route: route.fulfill(path=ROOT / route.request.url.removeprefix(f"{ADDRESS}/")))
    tab.route(f"{ADDRESS}/", lambda route: route.fulfill(body="", content_type="text/html"))
    tab.goto(f"{ADDRESS}/")
    logs = [min((ROOT / "fixtures" / game).glob("*.log")) for game in ("cake", "gosne", "mabr")]
    results = tab.evaluate(READ, [f"/{log.relative_to(ROOT)}" for log in logs])
    assert wrong == []
    assert [(findings, kind) for _, findings, kind in results] == [(0, "chain")] * 3
    assert all(events > 3 for events, _, _ in results)
    tab.close()
