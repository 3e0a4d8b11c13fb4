// The checks of a script's call (answers, time, processes, environment), and the tests that must fail when a check is
// removed.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const source = "apps/shell/src"
const failures = "apps/shell/test/failures.test.ts"
const ending = "apps/shell/test/ending.test.ts"
const betweenRoundsTest = "apps/shell/test/between-rounds.test.ts"

export const scriptMutations: readonly Mutation[] = [
  ...within(`${source}/questions.ts`, [
    "scripts: a late answer reaches no other question",
    "if (open.get(slot) !== entry) return",
    "if (!open.has(slot)) return",
    failures,
    "reaches no other question, although the script uses the same file for it",
  ]),
  ...within(`${source}/exchange/responses.ts`, [
    "scripts: an answer appears whole",
    "const draft = folder.file(`answer.$" + '{randomBytes(8).toString("hex")}`)',
    "const draft = path",
    failures,
    "a script that looks for its response all the time never reads a part of it",
  ]),
  ...within(
    `${source}/scripts.ts`,
    [
      "scripts: the timer stands still while a person thinks",
      "onWaiting: (isWaiting) => limit?.pause(isWaiting)",
      "onWaiting: () => {}",
      failures,
      "a script may ask for longer than its limit, on every revision",
    ],
    [
      "scripts: calls at the same time count each other",
      "running.size + starting.size >= limits.concurrency",
      "running.size >= limits.concurrency",
      "apps/shell/test/crowd.test.ts",
      "of scripts holds for calls that are made at the same time",
    ],
  ),
  ...within(
    `${source}/process-group.ts`,
    [
      "scripts: the whole process group ends",
      "return process.kill(-group, signal)",
      "return process.kill(group, signal)",
      ending,
      "ends the script with all that it has started, and lets it clean up",
    ],
    [
      "scripts: a process that does not listen is killed",
      'signalGroup(group, "SIGKILL")',
      'signalGroup(group, "SIGTERM")',
      ending,
      "is killed with all that it has started",
    ],
  ),
  ...within(`${source}/script.ts`, [
    "scripts: the guardian knows every script",
    "if (child.pid !== undefined) guardian.add(child.pid)",
    "",
    "apps/server/test/shell/restarted.db.test.ts",
    "leaves no process and no file, and the retry at the next one fails with words",
  ]),
  ...within(`${source}/server.ts`, [
    "scripts: folders of clients elsewhere are not folders here",
    "const roots = hasLocalClients ? createClientRoots",
    "const roots = !hasLocalClients ? createClientRoots",
    "apps/shell/test/roots.test.ts",
    "are not asked for where clients may be elsewhere, or have none",
  ]),
  ...within(`${source}/result/result.ts`, [
    "scripts: an error is not followed by a result",
    "if (chosen?.isError !== true) chosen = result",
    "chosen = result",
    "apps/shell/test/result/result.test.ts",
    "gives the error of a script that reports one and goes on, and not what it prints after it",
  ]),
  ...within(`${source}/environment.ts`, [
    "scripts: the environment is minimal",
    "(usual.test(name) || passEnvironment.includes(name))",
    "(usual.test(name) || passEnvironment.length >= 0)",
    "apps/shell/test/safety.test.ts",
    "has nothing of the server's that is not named, and what is named",
  ]),
  ...within(
    `${source}/call.ts`,
    [
      "scripts: a cancelled call ends its script",
      'if (!isRunOver) script.end("cancelled")',
      "if (!isRunOver) script.attend()",
      ending,
      "ends the script with all that it has started, and lets it clean up",
    ],
    [
      "scripts: the process is kept between rounds",
      "const running = scripts.get(id)",
      "const running = scripts.get(`not $" + "{id}`)",
      betweenRoundsTest,
      "keeps its process over all rounds, whatever connection a round comes by",
    ],
    [
      "scripts: a script is not run again unless it says so",
      "if (running === undefined && isContinued && !tool.replayable) throw scriptLost(tool)",
      "",
      betweenRoundsTest,
      "fails with words that say what is known, and does not run the script again",
    ],
    [
      "scripts: answers of an earlier process do not count",
      "const scriptAsk = tool.replayable ? ask : ask.scope(",
      'const scriptAsk = tool.program !== "" ? ask : ask.scope(',
      "apps/server/test/shell/restarted.db.test.ts",
      "asks everything again when an older client makes the call again: answers were for another process",
    ],
  ),
]
