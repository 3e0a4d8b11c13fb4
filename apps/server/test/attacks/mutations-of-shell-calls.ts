// The limits of what a running script can do to its server and client, and the tests that must fail without a limit.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const source = "apps/shell/src"
const files = "apps/shell/test/hostile-files.test.ts"
const notices = "apps/shell/test/notices.test.ts"

const accounts = "apps/shell/test/accounts/accounts.test.ts"
const argumentsTest = "apps/shell/test/arguments.test.ts"
const proxy = "apps/shell/test/accounts/proxy.test.ts"

export const shellCallMutations: readonly Mutation[] = [
  ...within(
    `${source}/exchange/small-file.ts`,
    [
      "scripts: a link is not followed to a request",
      "constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK",
      "constants.O_RDONLY | constants.O_NONBLOCK",
      files,
      "a request that is a link to a request is answered as invalid, and asks nothing",
    ],
    [
      "scripts: a request is a regular file",
      'if (!about.isFile()) return "not a file"',
      'if (about.size < 0) return "not a file"',
      files,
      "a request that is a pipe is answered as invalid, and asks nothing",
    ],
    [
      "scripts: a request has a limit",
      'if (about.size > maxBytes) return "too long"',
      'if (about.size < 0) return "too long"',
      files,
      "a request that is longer than 1 MiB is answered as invalid, and asks nothing",
    ],
  ),
  ...within(`${source}/answer.ts`, [
    "scripts: a question that is one too many is an answer",
    'case "too_many_for_person":',
    'case "not_answered":',
    files,
    "dozens of requests at once ask no more than a person may have open, and the others are told so",
  ]),
  ...within(`${source}/exchange/responses.ts`, [
    "scripts: a full pipe does not keep an answer from the script",
    'if (!isErrno(error, "EPIPE", "EAGAIN")) throw error',
    'if (!isErrno(error, "EPIPE")) throw error',
    files,
    "a full pipe, and a file in its place, keep no answer from the script",
  ]),
  ...within(
    `${source}/exchange/line-stream.ts`,
    [
      "scripts: a report is read from a regular file",
      "if ((await file.stat()).isFile()) return file",
      "if ((await file.stat()).size >= 0) return file",
      notices,
      "holds no call and is not read when it is a folder",
    ],
    [
      "scripts: a line of a report has a limit",
      "const maxLineBytes = 64 * 1_024",
      "const maxLineBytes = 64 * 1_024 * 1_024",
      notices,
      "is left out when it is a line without an end in sight",
    ],
  ),
  ...within(
    `${source}/notices/notice.ts`,
    [
      "scripts: a script sends no notification but progress and log messages",
      "isObject(value) && value.method === method && isObject(value.params)",
      "isObject(value) && isObject(value.params)",
      notices,
      "is left out when it is another notification",
    ],
    [
      "scripts: a client gets log messages from its level up",
      "wanted !== undefined && levels.indexOf(level) >= levels.indexOf(wanted)",
      "wanted !== undefined",
      notices,
      "reach a client of 2025-11-25 from info up, and from the level that its session has set",
    ],
  ),
  ...within(
    `${source}/notices/notices.ts`,
    [
      "scripts: log messages are limited",
      "if (!hasToken()) {",
      "if (!hasToken() && tokens < -1e9) {",
      notices,
      "are left out and counted when there are too many at once",
    ],
    [
      "scripts: progress is limited",
      "if (timer === undefined) sendLatest()",
      "sendLatest()",
      notices,
      "comes slower than a script writes it, and ends with the last",
    ],
  ),
  ...within(
    `${source}/accounts/target.ts`,
    [
      "scripts: an account is for the hosts of its provider",
      "origins.find((candidate) => new URL(candidate).host === host.toLowerCase())",
      "origins.find((one) => host.includes(new URL(one).hostname)) ?? `http://${host}`",
      proxy,
      "refuses other hosts in words, and sends nothing there",
    ],
    [
      "scripts: a path stays a path at the account's socket",
      "if (origin !== undefined) return `${origin}${path}`",
      "if (origin !== undefined) return new URL(path, origin).href",
      proxy,
      "with the target //elsewhere.example/x and the host account goes to the provider",
    ],
  ),
  ...within(
    `${source}/accounts/proxy.ts`,
    [
      "scripts: the socket of an account is for its own user",
      "await chmod(path, 0o600)",
      "await chmod(path, 0o666)",
      accounts,
      "is asked for, and then the script's curl gets the person's own data, and no token is where the script looks",
    ],
    [
      "scripts: the socket of an account ends with the call",
      "closing.abort()\n      server.close()",
      "server.unref()",
      proxy,
      "ends what is under way when it is closed",
    ],
  ),
  ...within(`${source}/accounts/connect.ts`, [
    "scripts: a person who refused an account is not asked again in the call",
    "answers.get(name) ?? connect(name, request, lifetimeMs)",
    "connect(`${name}${answers.size}`, request, lifetimeMs)",
    accounts,
    "is refused by the person, and the script gets decline, also when it asks again",
  ]),
  ...within(`${source}/call.ts`, [
    "scripts: a Yes that is taken back ends the script",
    "const { signal } = scriptAsk",
    "const { signal } = ask",
    argumentsTest,
    "ends a script when the person takes back the Yes that it goes on with",
  ]),
  ...within(
    `${source}/arguments.ts`,
    [
      "scripts: arguments have a limit",
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
