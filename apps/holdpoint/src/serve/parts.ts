// The parts of `holdpoint serve`, by its settings. The code of each is imported only here, when it is set up: a server
// needs no package of a part that it does not have.

import type { EmailOptions } from "@holdpoint/email"
import { HoldpointError } from "@holdpoint/hub"
import type { Part } from "@holdpoint/server/parts"
import type { SlackPart } from "@holdpoint/slack"
import type { Settings } from "../config.ts"
import type { StorageSession } from "../session.ts"
import { webhookNetworkOf } from "../webhook-network.ts"

export interface ServedParts {
  readonly parts: readonly Part[]
  readonly slack?: SlackPart | undefined
}

export async function loadParts({
  settings,
  storage,
}: Pick<StorageSession, "settings" | "storage">): Promise<ServedParts> {
  const { webhooks } = await import("@holdpoint/webhooks")
  const slack = settings.slack === undefined ? undefined : await loadSlack(settings.slack, storage)
  const email = settings.email === undefined ? undefined : await loadEmail(settings.email)
  return { parts: [webhooks(webhookNetworkOf(settings)), slack, email].filter((part) => part !== undefined), slack }
}

/** Loads Slack. Questions of a run that was begun in Slack are asked in its thread. */
async function loadSlack(
  settings: NonNullable<Settings["slack"]>,
  storage: StorageSession["storage"],
): Promise<SlackPart> {
  const { slack } = await import("@holdpoint/slack")
  const { createThreadOf } = await import("@holdpoint/slack/internal")
  return slack({ ...settings, threadOf: createThreadOf(storage) })
}

async function loadEmail(settings: NonNullable<Settings["email"]>): Promise<Part> {
  const options = toEmailOptions(settings)
  const { email } = await import("@holdpoint/email")
  return email(options)
}

/** Throws when a sender is set and no mail server. The error never repeats a value. */
export function toEmailOptions({ smtpUrl: url, ...email }: NonNullable<Settings["email"]>): EmailOptions {
  if (url !== undefined) return { ...email, smtp: { url } }
  throw new HoldpointError(
    "invalid_config",
    "email.from enables e-mail, but no mail server is set. Set SMTP_URL to the server's address, such as smtp://mail.example.com:587, with user:password@ before the host if the server requires them.",
  )
}
