// The slash command: links and unlinks the account of the person who types it.

import type { Linking } from "./linking.ts"
import type { SlackLinks } from "./links.ts"
import type { Json, SlackCommand } from "./wire.ts"
import { linkWords } from "./words.ts"

export interface CommandNeeds {
  readonly links: Pick<SlackLinks, "unlink">
  readonly linking: Pick<Linking, "begin">
}

/** Creates the handler of the command. It responds with a text that only the person who typed the command sees. */
export function createCommand({ links, linking }: CommandNeeds): (command: SlackCommand) => Promise<Json | undefined> {
  return async ({ team, user, text }) => {
    switch (text.trim().toLowerCase()) {
      case "link":
        await linking.begin({ team, user })
        return reply(linkWords.sent)
      case "unlink":
        return reply((await links.unlink({ team, user })) ? linkWords.unlinked : linkWords.notLinked)
      default:
        return reply(linkWords.help)
    }
  }
}

const reply = (text: string): Json => ({ response_type: "ephemeral", text })
