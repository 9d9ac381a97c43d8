// Drives real Pi processes, headless, over the scripted model of the shared tools.
//   node drive.test.mjs PLAN.json
// Plan: {driver, home, cwd, mcp, before, after, processes: [{args, actions}]}. All
// processes run at once in the same directory. Actions: {"ask": text}, {"compact": true},
// {"meet": true}: wait for the others; then the steps of `after` replace those of `before`.
// Prints one JSON line per process: {file, entries}.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { Pi, startProvider, writeAgentDir } = await import(pathToFileURL(plan.driver));
const llm = await startProvider({ portFile: join(plan.home, "port") });
writeAgentDir(plan.home, llm.base, { compaction: { enabled: true, reserveTokens: 2000, keepRecentTokens: 300 } }, plan.mcp);
await llm.push(plan.before);

let arrived = 0;
let met;
const meeting = new Promise((resolve) => { met = resolve; });
async function meet() {
  if (++arrived === plan.processes.length) {
    await llm.clear();
    await llm.push(plan.after);
    met();
  }
  await meeting;
}

async function drive(p) {
  const args = ["--system-prompt", "You are a test assistant.", ...(p.args ?? [])];
  const pi = new Pi({ cwd: plan.cwd, home: plan.home, args });
  try {
    for (const a of p.actions) {
      if (a.ask) await pi.ask(a.ask);
      if (a.compact) await pi.send("compact");
      if (a.meet) await meet();
    }
    return { file: await pi.file(), entries: (await pi.entries()).entries };
  } finally {
    await pi.close();
    if (pi.stderr) console.error(pi.stderr);
  }
}

try {
  for (const r of await Promise.all(plan.processes.map(drive))) console.log(JSON.stringify(r));
} finally {
  llm.stop();
}
