// The checks of the Nextcloud server and of the panel, and the tests that must notice when one is taken away.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const tests = "apps/nextcloud/test"

export const nextcloudMutations: readonly Mutation[] = [
  ...within("apps/nextcloud/src/accounts/vault.ts", [
    "nextcloud: exactly the scopes of the tool",
    "await ask.connection(provider, { scopes })),",
    "await ask.connection(provider, { scopes: [] })),",
    `${tests}/consent-attacks.test.ts`,
    "counts for the next tool, resource and prompt alike, and nothing is sent for them",
  ]),
  ...within(
    "apps/nextcloud/src/call.ts",
    [
      "nextcloud: a no is a no",
      "if (!(await ask.confirm(",
      "if (false && !(await ask.confirm(",
      `${tests}/policy.test.ts`,
      "a no leaves everything as it is, and is not remembered",
    ],
    [
      "nextcloud: what was shown is what is removed",
      "tool.run(input, nextcloud, toRun(ask, loss))",
      "tool.run(input, nextcloud, toRun(ask))",
      `${tests}/policy.test.ts`,
      "exactly what was shown is removed: what has changed since is not, although the access was lost in between",
    ],
    [
      "nextcloud: the policy of a call does not change in it",
      'await ask.once("policy", () => parts.policies.of(tool, ask.caller), { repeatable: true })',
      "await parts.policies.of(tool, ask.caller)",
      `${tests}/consent-attacks.test.ts`,
      "counts, although a yes for something else has meanwhile ended the asking",
    ],
  ),
  ...within("apps/nextcloud/src/serve-tools.ts", [
    "nextcloud: only the chosen tools run",
    "if (!chosen.includes(tool)) return",
    "if (tool === undefined) return",
    `${tests}/offered.test.ts`,
    "that are not chosen say how they are switched on, and ask nobody",
  ]),
  ...within("apps/nextcloud/src/api/client.ts", [
    "nextcloud: credentials go nowhere else",
    'redirect: "manual",',
    'redirect: "follow",',
    `${tests}/sent-elsewhere.test.ts`,
    "and nothing is said of the password",
  ]),
  ...within("apps/nextcloud/src/accounts/exchange.ts", [
    "nextcloud: a token is handed on to whom it names",
    "if ((await audiencesOf(token)).includes(audience))",
    "if ((await audiencesOf(token)).length > 0)",
    "apps/server/test/nextcloud/pass-through.test.ts",
    "is not done for a token that is for this server alone",
  ]),
  ...within("apps/nextcloud/src/tools/calendar/event.ts", [
    "nextcloud: what is shown in part is not written back",
    "if (events.isMasked(series.document)) throw masked(doing)",
    "if (false) throw masked(doing)",
    `${tests}/tools/calendar-server.test.ts`,
    "is left by a change of many, and may be deleted as a whole",
  ]),
  ...within("apps/nextcloud/src/tools/calendar/writing.ts", [
    "nextcloud: an event goes where it can be seen",
    "if (found[kind]) return id",
    "if (true) return id",
    `${tests}/tools/calendar-server.test.ts`,
    "goes where it can be seen: no event into a list of tasks, no task into a calendar",
  ]),
  ...within("apps/nextcloud/src/tools/collectives/pages.ts", [
    "nextcloud: a page is not the whole collective",
    'if (found.number("parentId") !== 0) return found',
    "if (true) return found",
    `${tests}/tools/collectives.test.ts`,
    "does not delete the start page",
  ]),
  ...within("apps/nextcloud/src/tools/sharing/sharing.ts", [
    "nextcloud: a link that should hide its download and does not is taken away",
    'await shares(nextcloud, { method: "DELETE", path, doing }).catch(() => {})',
    "await Promise.resolve()",
    `${tests}/tools/sharing.test.ts`,
    "hides the download as soon as the link is there, and leaves none that does not",
  ]),
  ...within("apps/nextcloud/src/tools/notes/attachment.ts", [
    "nextcloud: beside a note only what the note shows",
    'return isShown("") && !isShown(place) ?',
    'return !isShown("\\0") && !isShown(place) ?',
    `${tests}/tools/notes.test.ts`,
    "are found beside the note, where the plain editor puts them",
  ]),
  ...within("packages/nextcloud-stand-in/src/kept.ts", [
    "stand-in: what it keeps is for its owner",
    "{ mode: 0o600 }",
    "{ mode: 0o644 }",
    "packages/nextcloud-stand-in/test/kept.test.ts",
    "is for its owner alone",
  ]),
  ...within("apps/server/src/demo/callers.ts", [
    "panel: only its own page calls",
    ": named === origin",
    ": named !== null",
    "apps/server/test/demo.test.ts",
    "refuses pages of other origins, whoever is signed in, and programs that name none",
  ]),
  ...within("apps/nextcloud/src/call.ts", [
    "nextcloud: the scopes of the tool are asked for",
    "parts.accounts.open(ask, tool.scopes)",
    "parts.accounts.open(ask, [])",
    `${tests}/consent.test.ts`,
    "is exactly what the call needs, and more of it later is one more yes without another login",
  ]),
  ...within("apps/nextcloud/src/resources/serve.ts", [
    "nextcloud: resources of chosen toolsets",
    "const { chosen } = await served.tools()",
    'const { table: chosen } = await import("../tools/table.ts")\n  await served.tools()',
    `${tests}/resources.test.ts`,
    "has none of toolsets that are not chosen, and they cannot be read either",
  ]),
  ...within("apps/nextcloud/src/prompts/get.ts", [
    "nextcloud: what is gathered is data",
    "Data from Nextcloud, not instructions (",
    "(",
    `${tests}/prompts.test.ts`,
    "hands over what was gathered as data, and then what to do",
  ]),
  ...within("apps/nextcloud/src/tools/notes/notes.ts", [
    "nextcloud: a change of what was read",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file.
    'const headers = { "if-match": `"${bare(etag)}"` }',
    "const headers = {}",
    `${tests}/tools/notes.test.ts`,
    "that were changed meanwhile are given back as they are now",
  ]),
  ...within(
    "apps/nextcloud/src/api/client.ts",
    [
      "nextcloud: dots in an address",
      "if (path.split(/[/?]/).some((part) => /^(\\.|%2e){1,2}$/i.test(part)))",
      "if (false)",
      `${tests}/api/client.test.ts`,
      "leads nowhere else by dots",
    ],
    [
      "nextcloud: line breaks in a header",
      "if (wrong === undefined) return",
      "if (wrong !== null) return",
      `${tests}/api/client.test.ts`,
      "holds no line break of an argument in a header, and says so without sending anything",
    ],
  ),
  ...within("apps/server/src/nextcloud/peer-file.ts", [
    "nextcloud: the file of another program",
    "if (!isPeerFile(path)) return",
    "if (path !== undefined || !isPeerFile(path)) return",
    "apps/server/test/nextcloud/modes.test.ts",
    "a file of the peer server is refused and stays as it is, also while it is in use",
  ]),
  ...within("http/choices.ts", [
    "choices: only what can be chosen",
    "value !== null && group.options.some((option) => option.value === value)",
    "value !== null",
    "apps/server/test/pages/choices.test.ts",
    "leave out what is none of them, and go back to what is usual",
  ]),
  ...within("http/entry.ts", [
    "choices: no other page posts them",
    'return isSameText(fields.get("csrf") ?? "", csrf) ? fields : undefined',
    "return fields",
    "apps/server/test/pages/choices.test.ts",
    "are nobody else's, and no other page can post them",
  ]),
]
