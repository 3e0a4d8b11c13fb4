// Sends a text to one person: as a message that only they see in the conversation of their action, or else as a direct
// message. Slack's response_url is never used, because this server does not call addresses from requests.

import type { PrivateMessage } from "./linking.ts"
import type { SlackPress, SlackUser } from "./wire.ts"
import { slackErrorOf, type Workspaces } from "./workspaces.ts"

type Where = SlackUser & Partial<Pick<SlackPress, "message">>

export interface Whisper {
  whisper(where: Where, content: PrivateMessage): Promise<void>
  tell(where: Where, text: string): Promise<void>
}

export function createWhisper(workspaces: Workspaces): Whisper {
  const whisper: Whisper["whisper"] = async ({ team, user, message }, content) => {
    const workspace = await workspaces.find(team)
    if (workspace === undefined) return
    const quiet = { ...content, unfurl_links: false, unfurl_media: false }
    if (message === undefined) return void (await workspace.call("chat.postMessage", { channel: user, ...quiet }))
    const { channel, thread_ts } = message
    const where = { channel, user, ...(thread_ts === undefined ? {} : { thread_ts }) }
    try {
      await workspace.call("chat.postEphemeral", { ...where, ...content })
    } catch (error) {
      if (slackErrorOf(error) === undefined) throw error
      await workspace.call("chat.postMessage", { channel: user, ...quiet })
    }
  }
  return { whisper, tell: (where, text) => whisper(where, { text }) }
}
