// The checks of a script's call (answers, time, processes, environment), and the tests that must fail when a check is
// removed.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const failures = "apps/shell/test/failures.test.ts"
const ending = "apps/shell/test/ending.test.ts"
const betweenRoundsTest = "apps/shell/test/between-rounds.test.ts"

export const scriptMutations: readonly Mutation[] = [
  ...within("apps/shell/src/questions.ts", [
    "scripts: a late answer reaches no other question",
    "if (openQuestions.get(slot) !== entry) return",
    "if (!openQuestions.has(slot)) return",
    failures,
    "reaches no other question, even when the script uses the same file for it",
  ]),
  ...within(
    "apps/shell/src/scripts.ts",
    [
      "scripts: the timer stands still while a person thinks",
      "onWaiting: (isWaiting) => limit?.pause(isWaiting)",
      "onWaiting: () => {}",
      failures,
      "a script may ask for longer than its limit, on every revision",
    ],
    [
      "scripts: simultaneous calls count towards the limit",
      "runningScripts.size + startingScripts.size >= limits.concurrency",
      "runningScripts.size >= limits.concurrency",
      "apps/shell/test/crowd.test.ts",
      "on scripts also holds for calls that are made at the same time",
    ],
  ),
  ...within(
    "apps/shell/src/process-group.ts",
    [
      "scripts: the whole process group ends",
      "return process.kill(-group, signal)",
      "return process.kill(group, signal)",
      ending,
      "ends the script and every process that it started, and lets it clean up",
    ],
    [
      "scripts: a process that ignores SIGTERM is killed",
      'signalGroup(group, "SIGKILL")',
      'signalGroup(group, "SIGTERM")',
      ending,
      "is killed with every process that it started",
    ],
  ),
  ...within("apps/shell/src/script.ts", [
    "scripts: the guardian knows every script",
    "if (child.pid !== undefined) guardian.add(child.pid, marker)",
    "",
    "apps/holdpoint/test/shell/restarted.db.test.ts",
    "leaves no process and no file, and a retry at the next server fails with an explanation",
  ]),
  ...within("apps/shell/src/server.ts", [
    "scripts: folders of clients on other machines are not used",
    "const roots = hasLocalClients ? createClientRoots",
    "const roots = !hasLocalClients ? createClientRoots",
    "apps/shell/test/roots.test.ts",
    "are not requested where clients may be on other machines, or cannot name any",
  ]),
  ...within("apps/shell/src/environment.ts", [
    "scripts: the environment is minimal",
    "(usualVariables.test(name) || passEnvironment.includes(name))",
    "(usualVariables.test(name) || passEnvironment.length >= 0)",
    "apps/shell/test/safety.test.ts",
    "has the server's variables that are named, and none of its secrets",
  ]),
  ...within(
    "apps/shell/src/call.ts",
    [
      "scripts: a cancelled call ends its script",
      'if (!isRunOver) script.end("cancelled")',
      "if (!isRunOver) script.attend()",
      ending,
      "ends the script and every process that it started, and lets it clean up",
    ],
    [
      "scripts: the process is kept between rounds",
      "const running = scripts.get(id)",
      "const running = scripts.get(`not $" + "{id}`)",
      betweenRoundsTest,
      "keeps its process over all rounds, even when each round has its own connection",
    ],
    [
      "scripts: a script is not run again unless it is replayable",
      "if (running === undefined && isContinued && !tool.replayable) throw scriptLost(tool)",
      "",
      betweenRoundsTest,
      "fails with a message that says what happened, and does not run the script again",
    ],
    [
      "scripts: answers of an earlier process do not count",
      "const scriptAsk = tool.replayable ? ask : ask.scope(",
      'const scriptAsk = tool.program !== "" ? ask : ask.scope(',
      "apps/holdpoint/test/shell/restarted.db.test.ts",
      "asks everything again when an older client repeats its call, whose answers were for another process",
    ],
  ),
]
