// The checks of scripts before they run, and the tests that must fail when a check is removed.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const source = "apps/shell/src/catalogue"
const trust = "apps/shell/test/catalogue/trust.test.ts"
const reading = "apps/shell/test/catalogue/reading.test.ts"
const processes = "apps/server/test/shell/process.db.test.ts"
const parts = "apps/server/test/shell/parts.test.ts"

export const shellCatalogueMutations: readonly Mutation[] = [
  ...within(
    `${source}/trust.ts`,
    [
      "catalogue: every user can change it",
      "(mode & 0o002) !== 0",
      "(mode & 0o000) !== 0",
      trust,
      "refuses a script that every user can change",
    ],
    [
      "catalogue: its group can change it",
      "(mode & 0o020) !== 0 && !isPrivateGroup(gid)",
      "(mode & 0o020) !== 0 && gid < 0",
      trust,
      "refuses a script that the members of its group can change",
    ],
    [
      "catalogue: it belongs to another user",
      "uid === serverUid || uid === 0",
      "uid === serverUid || uid >= 0",
      trust,
      "refuses a script of another user",
    ],
    [
      "catalogue: a link out of the folder",
      "if (!isWithin(real, root))",
      'if (real === "")',
      trust,
      "refuses a folder that is a link out of the folder",
    ],
    [
      "catalogue: the folders between",
      "for (let current = real; current !== root; current = dirname(current)) {",
      "for (let current = real; current === real && current !== root; current = dirname(current)) {",
      trust,
      "refuses a script behind a link in a folder that every user can change",
    ],
    [
      "catalogue: the folders above",
      "if (above !== undefined) return { ...above,",
      "if (above !== undefined && at === root) return { ...above,",
      trust,
      "refuses everything below a folder that others can change, unless they cannot replace what is in it",
    ],
  ),
  ...within(`${source}/private-group.ts`, [
    "catalogue: a group with another member",
    "return others.length === 0 && members",
    "return others.length >= 0 || members",
    trust,
    "is not private with another member, or when it is not known here",
  ]),
  ...within(
    `${source}/catalogue.ts`,
    [
      "catalogue: the folder is judged at each call",
      "rootOf(path) !== root || distrustOfRoot(root) !== undefined",
      "rootOf(path) !== root",
      trust,
      "finds no tool that has become unsafe since it was listed",
    ],
    [
      "catalogue: read at each call",
      "listed === undefined ? undefined : readAgain(absolutePath, listed)",
      "listed ?? readAgain(absolutePath, { name, root: absolutePath, folder: absolutePath } as ShellTool)",
      trust,
      "finds no tool that has become unsafe since it was listed",
    ],
  ),
  ...within(
    `${source}/inspect.ts`,
    [
      "catalogue: the same name twice",
      "tools: tools.filter(({ name }) => !duplicates.has(name)),",
      "tools,",
      reading,
      "is left out with all others of the same name",
    ],
    [
      "catalogue: the folder is judged",
      "if (distrust !== undefined) return refused(root, distrust)",
      "",
      parts,
      "does not start in a folder that others can change",
    ],
  ),
  ...within(`${source}/metadata-file.ts`, [
    "catalogue: metadata has a limit",
    "if (size > maxBytes)",
    "if (size < 0)",
    reading,
    "is left out when its metadata is longer than allowed",
  ]),
  ...within(`${source}/folder.ts`, [
    "catalogue: clients would refuse it",
    "if (refused !== undefined) return",
    'if (refused?.message === "") return',
    reading,
    "is left out when its metadata has hints that clients refuse",
  ]),
  ...within(`${source}/metadata.ts`, [
    "catalogue: the name of a tool",
    "if (!namePattern.test(name))",
    'if (name === "")',
    reading,
    "is left out when its metadata has a name for no client",
  ]),
  ...within("apps/shell/src/guardian.ts", [
    "catalogue: scripts end with a server that is killed",
    'if [ "$#" -gt 0 ]; then',
    'if [ "$#" -gt 999 ]; then',
    processes,
    "leaves no process behind after SIGKILL",
  ]),
  ...within("packages/holdpoint/src/surfaces/mcp/request.ts", [
    "catalogue: a call belongs to its process",
    '...(instance === "" ? [] : [instance])',
    '...(instance === "" ? [] : [])',
    processes,
    "keeps the calls of two clients apart that are the same program and call the same",
  ]),
  ...within("apps/server/src/shell/plan.ts", [
    "catalogue: other machines do not reach the scripts",
    "if (reached === undefined || settings.identityProviders.length > 0) return",
    "if (reached !== undefined || settings.identityProviders.length > 0) return",
    parts,
    "refuses an address that other machines reach",
  ]),
]
