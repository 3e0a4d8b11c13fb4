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
  description: "Version of the News app, and whether its updates are configured well.",
  scopes: ["news.read"],
  effect: "read",
  input: object({}),
  output: object({ version: text(), cron_misconfigured: optional(flag()), charset_misconfigured: optional(flag()) }),
  async run(_, nextcloud) {
    const doing = "reading the status of News"
    const fields = fieldsOf((await sendNews(nextcloud, { path: "/status", doing })).json(), doing)
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
