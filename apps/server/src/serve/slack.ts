// Slack as a part of `holdpoint serve`. Questions of a run that was begun in Slack are asked in its thread.

import type { Storage } from "@holdpoint/sdk"
import { type SlackPart, slack } from "@holdpoint/sdk/slack"
import { createThreadOf } from "../agents/slack/thread-of.ts"
import type { SlackSettings } from "../config.ts"

export const openSlack = (settings: SlackSettings, storage: Pick<Storage, "records">): SlackPart =>
  slack({ ...settings, threadOf: createThreadOf(storage) })
