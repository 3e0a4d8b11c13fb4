// Your site: it knows its people, has pages with the chat, and gets tokens for them. It runs on an origin of its own
// and has nothing of Holdpoint but the widget's file and an API key.

import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { widgetScript } from "@holdpoint/widget/script"
import { type Context, Hono } from "hono"
import { getCookie, setCookie } from "hono/cookie"
import { pageScript } from "./bundle.ts"
import { chatPage, expensePage, reactPage, signInPage } from "./pages.ts"

export interface IntranetPlan {
  /** The origin of Holdpoint. */
  readonly holdpoint: string
  /** The API key, which never leaves this server. */
  readonly apiKey: string
}

/** The people of the site. Your site authenticates its visitors; this example trusts the button that they press. */
const people = ["alice", "bob"]

/** The pages in React, which are bundled. */
const bundled = ["expenses-react", "own-chat"]

export function createIntranet({ holdpoint, apiKey }: IntranetPlan): Hono {
  const app = new Hono()
  const sessions = new Map<string, string>()
  const personOf = (context: Context): string | undefined => sessions.get(getCookie(context, "session") ?? "")

  app.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(headersFor(holdpoint))) context.header(name, value)
  })
  app.post("/sign-in", async (context) => {
    const { person } = await context.req.parseBody()
    if (typeof person !== "string" || !people.includes(person)) return context.text("There is no such person.", 400)
    const session = randomUUID()
    sessions.set(session, person)
    setCookie(context, "session", session, { httpOnly: true, sameSite: "Lax" })
    return context.redirect("/")
  })
  app.post("/sign-out", (context) => {
    sessions.delete(getCookie(context, "session") ?? "")
    return context.redirect("/")
  })

  // #region token
  app.post("/holdpoint-token", async (context) => {
    const subject = personOf(context)
    if (subject === undefined) return context.text("Sign in first.", 401)
    const conversationId = context.req.query("conversation")
    const response = await fetch(`${holdpoint}/run/api/tokens`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ subject, conversationId }),
    })
    if (!response.ok) return context.text("Holdpoint gave no token.", 502)
    return context.json(await response.json(), 200, { "cache-control": "no-store" })
  })
  // #endregion

  const pages: Readonly<Record<string, (holdpoint: string, person: string) => string>> = {
    "/": chatPage,
    "/expenses": expensePage,
    ...Object.fromEntries(bundled.map((name) => [`/${name}`, reactPage(name)])),
  }
  for (const [path, page] of Object.entries(pages))
    app.get(path, (context) => {
      const person = personOf(context)
      return context.html(person === undefined ? signInPage(people) : page(holdpoint, person))
    })
  app.get("/holdpoint-widget.js", async (context) => context.body(await widgetScript(), 200, javascript))
  app.get("/expenses.js", (context) => context.body(textOf("expenses.js"), 200, javascript))
  for (const name of bundled)
    app.get(`/${name}.js`, async (context) => context.body(await pageScript(name), 200, javascript))
  app.get("/style.css", (context) => context.body(textOf("style.css"), 200, { "content-type": "text/css" }))
  return app
}

const javascript = { "content-type": "text/javascript; charset=utf-8" }
const textOf = (name: string): string => readFileSync(new URL(`page/${name}`, import.meta.url), "utf8")

/** What the chat needs of a strict page: its script, and requests to Holdpoint and to the page's own server. */
// #region policy
const headersFor = (holdpoint: string): Readonly<Record<string, string>> => ({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    `connect-src 'self' ${holdpoint}`,
    // Rules for the page itself, which the chat does not need.
    "style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ].join("; "),
  // With `same-origin`, the chat could not close the window that it opened.
  "cross-origin-opener-policy": "same-origin-allow-popups",
})
// #endregion
