// node laws.mjs PACKAGE ROOT GAME: judges a game by its laws in the engine; prints how many tests passed, and the failures.

import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, root, game] = process.argv;
const { startPython } = await import(pathToFileURL(`${folder}/engine.js`));
const python = await startPython();
python.setStdout({ batched: () => {} });
copy(`tests/games/${game}/test_rules.py`);
for (const name of readdirSync(`${root}/fixtures/${game}`)) copy(`fixtures/${game}/${name}`);
console.log(python.runPython(`
import json, os, sys
from types import ModuleType

# Only the simulation of hosts needs it, and there is none for a browser.
sys.modules["greenlet"] = made = ModuleType("greenlet")
made.greenlet = made.getcurrent = made.GreenletExit = object
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"

import pytest
from hypothesis import HealthCheck, settings

slow = list(HealthCheck)
settings.register_profile("quick", max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=slow)
settings.load_profile("quick")

class Count:
    passed, failures = 0, []
    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failures.append(report.nodeid + ": " + str(report.longrepr)[-600:])
        elif report.when == "call" and report.passed:
            Count.passed += 1

# Law 6 starts other processes, and law 10 takes minutes natively, too.
chosen = ["-k", "TestLaws and not test_6_whatever and not test_10"]
plugins = ["-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:threadexception"]
code = pytest.main(["/root/tests/games/${game}/test_rules.py", "-q", "-s", "--import-mode=importlib", *chosen, *plugins], [Count()])
json.dumps([int(code), Count.passed, Count.failures])
`));
process.stdout.write("", () => process.exit(0)); // once all of it is written

function copy(path) {
  const target = `/root/${path}`;
  python.FS.mkdirTree(target.slice(0, target.lastIndexOf("/")));
  python.FS.writeFile(target, new Uint8Array(readFileSync(`${root}/${path}`)));
}
