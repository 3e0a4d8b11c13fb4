// The News tools: feeds, their articles, and the state of the app.

import { fieldsOf } from "../../api/read.ts"
import { flag, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { sendNews } from "./api.ts"
import { feedTools } from "./feeds.ts"
import { folderTools } from "./folders.ts"
import { itemTools } from "./items.ts"

const getStatus = defineTool({
  name: "nc_news_get_status",
  title: "Status of News",
  description: "The News app's version, and whether its updates are set up correctly.",
  scopes: ["news.read"],
  effect: "read",
  input: object({}),
  output: object({ version: text(), cron_misconfigured: optional(flag()), charset_misconfigured: optional(flag()) }),
  async run(_, nextcloud) {
    const activity = "reading the status of News"
    const fields = fieldsOf((await sendNews(nextcloud, { path: "/status", activity })).json(), activity)
    const warnings = fields.maybeObject("warnings")
    const cron = warnings?.maybeFlag("improperlyConfiguredCron")
    const charset = warnings?.maybeFlag("incorrectDbCharset")
    return {
      version: fields.text("version"),
      ...(cron === undefined ? {} : { cron_misconfigured: cron }),
      ...(charset === undefined ? {} : { charset_misconfigured: charset }),
    }
  },
})

export const newsTools = [...itemTools, ...feedTools, ...folderTools, getStatus]
