// Checks of the text of a link.

import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import { credentialIn, decodings, personalIn } from "../credentials.ts"

const safeUrlSection = "client/elicitation#safe-url-handling"
const phishing = "client/elicitation#phishing"
const since2025 = { "2026-07-28": safeUrlSection, "2025-11-25": safeUrlSection }

export const address: readonly UrlModeCheck[] = [
  {
    id: "address-valid",
    title: "The url is an absolute http or https address",
    level: "must",
    spec: {
      "2026-07-28": "client/elicitation#url-mode-elicitation-requests",
      "2025-11-25": "client/elicitation#url-mode-elicitation-requests",
    },
    async run(context) {
      const { link } = await context.askUrl()
      expect(/^https?:$/.test(URL.parse(link)?.protocol ?? ""), "an absolute http or https address", link)
    },
  },
  {
    id: "address-https",
    title: "It is https, or an address of this machine",
    level: "should",
    spec: since2025,
    async run(context) {
      const url = await addressOf(context)
      expect(url.protocol === "https:" || isLoopback(url.hostname), "https outside of development", url.href)
    },
  },
  {
    id: "address-no-userinfo",
    title: "It contains no user name and no password before the host",
    level: "must",
    spec: since2025,
    async run(context) {
      const url = await addressOf(context)
      expect(url.username === "" && url.password === "", "nothing before an @", url.href)
    },
  },
  {
    id: "address-no-credentials",
    title: "It contains no credential: no token, no key, nothing that the client itself signs in with",
    level: "must",
    spec: since2025,
    async run(context) {
      const { href } = await addressOf(context)
      const credential = credentialIn(href, context.target)
      expect(credential === undefined, "no credential", `${credential} in the address`)
    },
  },
  {
    id: "address-no-personal-data",
    title: "It contains no personal data",
    level: "must",
    spec: since2025,
    async run(context) {
      const texts = decodings((await addressOf(context)).href)
      const mail = texts.some((text) => /[\w.%+-]+@[\w-]+\.[a-z]{2,}/i.test(text.replace(/^[^/]*\/\//, "")))
      expect(!mail, "no mail address", texts[0])
      const personalData = personalIn([texts, decodings((await addressOf(context)).href)], context.target)
      expect(personalData === undefined, "no personal data", texts[0])
    },
  },
  {
    id: "address-no-session",
    title: "It does not contain the id of the MCP session",
    level: "must",
    spec: { "2025-11-25": "client/elicitation#statefulness" },
    async run(context) {
      const session = await context.session()
      const { id } = session
      if (id === undefined) return skip("the server keeps no sessions")
      const { link } = await context.askUrl({ session })
      expect(
        !decodings(link).some((text) => text.includes(id)),
        "an address without the session id",
        link.replaceAll(id, "SESSION"),
      )
    },
  },
  {
    id: "address-own-page",
    title: "It leads to a page that can identify its visitor, not directly to a third party's authorization endpoint",
    level: "should",
    spec: { "2026-07-28": phishing, "2025-11-25": phishing },
    async run(context) {
      const url = await addressOf(context)
      const isRequest = url.searchParams.has("client_id") && url.searchParams.has("response_type")
      const isElsewhere = url.origin !== new URL(context.target.url).origin
      const isEndpoint = isElsewhere && /\/authorize\/?$|\/oauth2?\/(?:v\d\/)?auth\/?$/.test(url.pathname)
      expect(!isRequest && !isEndpoint, "a page of the server itself", url.href)
    },
  },
]

async function addressOf(context: CheckContext): Promise<URL> {
  const { link } = await context.askUrl()
  return URL.parse(link) ?? skip("the url is not an address")
}

/** Whether the host is this machine. `hostname` has to be normalised, as the property of a URL is. */
const isLoopback = (hostname: string): boolean => /^(?:(?:.+\.)?localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname)
