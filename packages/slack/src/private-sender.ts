// Sends a text to one person: as a message that only they see in the conversation of their action, or else as a direct
// message. Slack's response_url is never used, because this server does not call addresses from requests.

import type { PrivateMessage } from "./linking.ts"
import type { SlackPress, SlackUser } from "./wire.ts"
import { slackErrorOf, type Workspaces } from "./workspaces.ts"

type PrivatePlace = SlackUser & Partial<Pick<SlackPress, "message">>

export interface PrivateSender {
  sendPrivately(place: PrivatePlace, content: PrivateMessage): Promise<void>
  sendText(place: PrivatePlace, text: string): Promise<void>
}

export function createPrivateSender(workspaces: Workspaces): PrivateSender {
  const sendPrivately: PrivateSender["sendPrivately"] = async ({ team, user, message }, content) => {
    const workspace = await workspaces.find(team)
    if (workspace === undefined) return
    const directMessage = { ...content, unfurl_links: false, unfurl_media: false }
    if (message === undefined)
      return void (await workspace.call("chat.postMessage", { channel: user, ...directMessage }))
    const { channel, thread_ts } = message
    const recipient = { channel, user, ...(thread_ts === undefined ? {} : { thread_ts }) }
    try {
      await workspace.call("chat.postEphemeral", { ...recipient, ...content })
    } catch (error) {
      if (slackErrorOf(error) === undefined) throw error
      await workspace.call("chat.postMessage", { channel: user, ...directMessage })
    }
  }
  return { sendPrivately, sendText: (recipient, text) => sendPrivately(recipient, { text }) }
}
