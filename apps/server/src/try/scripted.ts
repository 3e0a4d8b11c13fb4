// The scripted alice: uses real HTTP on every page that a person would see, no shortcuts.

import { plainLines } from "@holdpoint/sdk/terminal"
import type { Output } from "../output.ts"
import { cyan, dim, green } from "../output.ts"
import { type Browser, openBrowser } from "./browser.ts"
import type { Person } from "./person.ts"

export function createScriptedPerson(out: Output): Person {
  const browser = openBrowser()
  const print = (words: string): void => out.say(dim("     alice:  "), words)
  return {
    async signIn(link) {
      const page = await browser.open(link)
      print(`opens ${link} and signs in`)
      const allow = await browser.submit(page, { user: "alice" })
      print(`reads “${allow.heading}” and allows it`)
      await browser.submit(allow, { do: "allow" })
    },
    async onQuestion(params) {
      for (const line of plainLines(params.message)) out.say(dim("     server: "), line)
      if (params.mode === "url") {
        out.say(dim("             "), cyan(params.url))
        await visit(browser, params.url, print)
        return { action: "accept" }
      }
      print("says yes")
      return { action: "accept", content: yesContent(params.requestedSchema) }
    },
    async choose(_words, options) {
      print(`chooses “${options[0]}”`)
      return 0
    },
    async confirm(words) {
      out.say("     ", words, green(" yes"))
      return true
    },
    next: () => new Promise(() => {}),
  }
}

/** Says yes on the page of the question. If an account is not connected yet, also grants access at the Nextcloud. */
async function visit(browser: Browser, url: string, print: (words: string) => void): Promise<void> {
  const page = await browser.open(url)
  print(`opens it, reads “${page.heading}” and says yes`)
  const waitingPage = await browser.submit(page, { do: "continue" })
  if (!waitingPage.heading.startsWith("Say yes at")) return print(`reads “${waitingPage.heading}”`)
  const connect = await browser.follow(waitingPage, "Open ")
  print(`reads “${connect.heading}” at the Nextcloud, and grants access as alice`)
  const granted = await browser.submit(connect, { user: "alice" })
  print(`reads “${granted.heading}”`)
}

/** The content of a form in which every box is ticked and every first option is chosen. */
function yesContent(schema: {
  readonly properties: Readonly<Record<string, unknown>>
}): Record<string, boolean | string> {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => {
      const { enum: values } = field as { readonly enum?: readonly string[] }
      return [name, values?.[0] ?? true]
    }),
  )
}
