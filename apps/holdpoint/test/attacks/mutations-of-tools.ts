// The guarantees of single Nextcloud tools, and the tests that must fail without them.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

export const toolMutations: readonly Mutation[] = [
  ...within("apps/nextcloud/src/call.ts", [
    "tools: a repeated call adds nothing twice",
    'tool.effect === "add" ? await ask.once("done", callOnce) : await callOnce()',
    "await callOnce()",
    "apps/nextcloud/test/added-once.test.ts",
    "by a client of",
  ]),
  ...within("apps/nextcloud/src/tools/contacts/write.ts", [
    "tools: a birthday is a valid date",
    "date.toISOString().startsWith(day)",
    "day !== undefined",
    "apps/nextcloud/test/tools/contacts.test.ts",
    "cannot have a birthday on",
  ]),
  ...within("apps/nextcloud/src/tools/status/status.ts", [
    "tools: a predefined status is set with its text",
    " && request.predefined === undefined",
    "",
    "apps/nextcloud/test/tools/account.test.ts",
    "sets a status, a message with an emoji, both, or a predefined one",
  ]),
  ...within("apps/nextcloud/src/conflict-retry.ts", [
    "tools: additions are retried more than twice",
    "const mostTries = 6",
    "const mostTries = 2",
    "apps/nextcloud/test/tools/files-writing.test.ts",
    "appends to what others wrote, even when they write first four times",
  ]),
  ...within("apps/nextcloud/src/tools/search/search.ts", [
    "tools: a search that found no place to search is an error",
    "if (failed.length > 0 && failed.length === ids.length) throw",
    "if (failed.length > ids.length) throw",
    "apps/nextcloud/test/tools/account.test.ts",
    "returns the other results when one provider fails, and fails when all do",
  ]),
  ...within("apps/holdpoint/src/nextcloud/accounts.ts", [
    "tools: a call ends before its client gives up",
    "const timeoutMs = 30_000",
    "const timeoutMs = 60_000",
    "apps/holdpoint/test/nextcloud/silent-nextcloud.test.ts",
    "one account for all stops waiting for Nextcloud before clients time out",
  ]),
  ...within("packages/mcp/src/server/http.ts", [
    "tools: the limit of a message is named",
    "a message holds at most ",
    "not ",
    "apps/holdpoint/test/nextcloud/large-messages.test.ts",
    "a message above the limit is refused with the limit and a way around it; the connection stays open",
  ]),
]
