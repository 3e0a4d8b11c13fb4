// The limits of what a running script can do to its server and client, and the tests that must fail without a limit.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const files = "apps/shell/test/hostile-files.test.ts"
const notices = "apps/shell/test/notices.test.ts"

const accounts = "apps/shell/test/accounts/accounts.test.ts"
const argumentsTest = "apps/shell/test/arguments.test.ts"
const proxy = "apps/shell/test/accounts/proxy.test.ts"

export const shellCallMutations: readonly Mutation[] = [
  ...within(
    "apps/shell/src/exchange/small-file.ts",
    [
      "scripts: a request that is a link is not followed",
      "constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK",
      "constants.O_RDONLY | constants.O_NONBLOCK",
      files,
      "a request that is a link to a request is answered as invalid, and asks nothing",
    ],
    [
      "scripts: a request is a regular file",
      'if (!isOwnFile(stats)) return "not a file"',
      'if (stats.size < 0) return "not a file"',
      files,
      "a request that is a pipe is answered as invalid, and asks nothing",
    ],
    [
      "scripts: a second name of another file is not read",
      "stats.isFile() && stats.nlink <= 1 &&",
      "stats.isFile() &&",
      files,
      "a second name of a file ends with words about it, and reads nothing out",
    ],
    [
      "scripts: an answer appears complete",
      "const draftPath = join(dirname(path), `draft.$" + '{randomBytes(8).toString("hex")}`)',
      "const draftPath = path",
      "apps/shell/test/small-file.test.ts",
      "a file has all of its content when it is first seen",
    ],
    [
      "scripts: the size of a request is limited",
      'if (stats.size > maxBytes) return "too long"',
      'if (stats.size < 0) return "too long"',
      files,
      "a request that is longer than 1 MiB is answered as invalid, and asks nothing",
    ],
  ),
  ...within(
    "apps/shell/src/script.ts",
    [
      "scripts: processes that left the group end with the time limit",
      "if (endedBy !== undefined) await endMarked(marker)",
      "",
      "apps/shell/test/ending.test.ts",
      "end with the time limit",
    ],
    [
      "scripts: files of a result are read with care",
      'if (content === "not a file") return { problem: "it is not a regular file" }',
      "",
      files,
      "a link to a file ends with words about it, and reads nothing out",
    ],
    [
      "scripts: the reason of an end is written with care",
      "writeSmallFile(path, reason)",
      'process.getBuiltinModule("node:fs").writeFileSync(path, reason, { flag: "r+" })',
      files,
      "a script that is stopped gets the reason without any other file being written",
    ],
  ),
  ...within("apps/shell/src/result/result.ts", [
    "scripts: results that contradict each other do not count",
    "if (only === undefined || !isContradiction) return undefined",
    "if (only !== undefined) return { result: only }\n  if (only === undefined || !isContradiction) return undefined",
    "apps/shell/test/result/result.test.ts",
    "shows everything when it printed more than one result, or an error and other output",
  ]),
  ...within("apps/shell/sdk/tool-sdk/results.sh", [
    "scripts: an error ends the script",
    "  _mcp_end_printed\n}",
    "}",
    "apps/shell/test/sdk/ends.test.ts",
    "ends the script with",
  ]),
  ...within("apps/shell/src/answer.ts", [
    "scripts: a question above the limit gets an error as its answer",
    'case "too_many_for_person":',
    'case "not_answered":',
    files,
    "60 simultaneous requests open only as many questions as allowed, and the rest get too_many",
  ]),
  ...within("apps/shell/src/exchange/responses.ts", [
    "scripts: a full pipe does not keep an answer from the script",
    'if (!isErrno(error, "EPIPE", "EAGAIN")) throw error',
    'if (!isErrno(error, "EPIPE")) throw error',
    files,
    "the script gets its answer even when its wake pipe is full or is a regular file",
  ]),
  ...within(
    "apps/shell/src/exchange/line-stream.ts",
    [
      "scripts: a report is read from a regular file",
      "if (isOwnFile(await file.stat())) return file",
      "if ((await file.stat()).size >= 0) return file",
      notices,
      "neither blocks the call nor is read when it is a folder",
    ],
    [
      "scripts: the length of a report's line is limited",
      "const maxLineBytes = 64 * 1_024",
      "const maxLineBytes = 64 * 1_024 * 1_024",
      notices,
      "is left out when it is a line that is too long",
    ],
  ),
  ...within(
    "apps/shell/src/notices/notice.ts",
    [
      "scripts: a script sends only progress and log messages",
      "isObject(value) && value.method === method && isObject(value.params)",
      "isObject(value) && isObject(value.params)",
      notices,
      "is left out when it is another notification",
    ],
    [
      "scripts: a client gets only log messages of its level or above",
      "minimum !== undefined && levels.indexOf(level) >= levels.indexOf(minimum)",
      "minimum !== undefined",
      notices,
      "reach a client of 2025-11-25 from level info up, or from the level that its session set",
    ],
  ),
  ...within(
    "apps/shell/src/notices/notices.ts",
    [
      "scripts: log messages are limited",
      "if (!hasToken()) {",
      "if (!hasToken() && tokens < -1e9) {",
      notices,
      "are left out and counted when they come too fast",
    ],
    [
      "scripts: progress is limited",
      "if (timer === undefined) sendLatest()",
      "sendLatest()",
      notices,
      "is sent less often than the script writes it, and ends with the last amount",
    ],
  ),
  ...within(
    "apps/shell/src/accounts/target.ts",
    [
      "scripts: an account works only for the hosts of its provider",
      "origins.find((candidate) => new URL(candidate).host === host.toLowerCase())",
      "origins.find((one) => host.includes(new URL(one).hostname)) ?? `http://${host}`",
      proxy,
      "refuses another host with an explanation, refuses TRACE, and forwards neither",
    ],
    [
      "scripts: a path cannot change the host at the account's socket",
      "if (origin !== undefined) return `${origin}${path}`",
      "if (origin !== undefined) return new URL(path, origin).href",
      proxy,
      "with the target //elsewhere.example/x and the host account goes to the provider",
    ],
  ),
  ...within(
    "apps/shell/src/accounts/proxy.ts",
    [
      "scripts: only its own user can use the socket of an account",
      "await chmod(path, 0o600)",
      "await chmod(path, 0o666)",
      accounts,
      "reads the person's data with curl after consent, and finds no token in its files or environment",
    ],
    [
      "scripts: the socket of an account closes with the call",
      `closeController.abort()
      server.close()`,
      "server.unref()",
      proxy,
      "ends requests in progress when it is closed, and accepts no more",
    ],
  ),
  ...within("apps/shell/src/accounts/connect.ts", [
    "scripts: a person who refused an account is not asked again in the call",
    "answers.get(name) ?? connect(name, request, lifetimeMs)",
    "connect(`${name}${answers.size}`, request, lifetimeMs)",
    accounts,
    "gets decline from a person who refuses, and the same answer without a prompt when it asks again",
  ]),
  ...within("apps/shell/src/call.ts", [
    "scripts: a Yes that is taken back ends the script",
    "const { signal } = scriptAsk",
    "const { signal } = ask",
    argumentsTest,
    "ends a script when the person takes back the Yes that let it continue",
  ]),
  ...within(
    "apps/shell/src/arguments.ts",
    [
      "scripts: the size of arguments is limited",
      "if (bytes > maxBytes)",
      "if (bytes < 0)",
      argumentsTest,
      "refuses arguments above the limit, and says so",
    ],
    [
      "scripts: arguments match the schema before the script is started",
      "if (problem === undefined) return undefined",
      "if (problem !== null) return undefined",
      argumentsTest,
      "does not start a script whose arguments do not match its schema, and says what is wrong",
    ],
  ),
]
