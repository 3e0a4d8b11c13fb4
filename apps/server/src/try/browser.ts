// A browser without a screen, for the scripted person: keeps cookies, follows redirects and submits the forms of the
// same pages that people see.

export interface Page {
  readonly url: URL
  readonly html: string
  /** The text of the h1. */
  readonly heading: string
}

export interface Browser {
  open(url: string | URL): Promise<Page>
  /** Follows the link whose text begins with these words. */
  follow(page: Page, words: string): Promise<Page>
  /** Submits the page's form with these fields. The name and value of a button are a field too. */
  submit(page: Page, fields?: Readonly<Record<string, string>>): Promise<Page>
}

interface Cookie {
  readonly host: string
  readonly path: string
  readonly nameAndValue: string
}

const mostHops = 20

export function openBrowser(): Browser {
  const cookies = new Map<string, Cookie>()
  const visit = async (first: URL, form?: URLSearchParams): Promise<Page> => {
    let [url, body] = [first, form]
    for (let hop = 0; hop < mostHops; hop++) {
      const response = await load(cookies, url, body)
      const html = await response.text()
      const next = response.headers.get("location") ?? attribute(/http-equiv="refresh" content="0; url=([^"]*)"/, html)
      if (next === undefined) return toPage(url, response.status, html)
      ;[url, body] = [new URL(next, url), undefined]
    }
    throw new Error(`There are too many redirects at ${url.origin}${url.pathname}.`)
  }
  return {
    open: (url) => visit(new URL(url)),
    follow({ url, html }, words) {
      const links = [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)]
      const [, address] = links.find(([, , text = ""]) => textOf(text).startsWith(words)) ?? []
      if (address === undefined) throw new Error(`There is no link “${words}” at ${url.origin}${url.pathname}.`)
      return visit(new URL(unescapeHtml(address), url))
    },
    submit({ url, html }, fields = {}) {
      const form = /<form\b[\s\S]*?<\/form>/.exec(html)?.[0]
      if (form === undefined) throw new Error(`There is no form at ${url.origin}${url.pathname}.`)
      const action = attribute(/<form[^>]* action="([^"]*)"/, form) ?? url.href
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
      const hiddenFields = hidden.map(([, name = "", value = ""]): [string, string] => [name, unescapeHtml(value)])
      return visit(new URL(action, url), new URLSearchParams({ ...Object.fromEntries(hiddenFields), ...fields }))
    },
  }
}

async function load(cookies: Map<string, Cookie>, url: URL, body: URLSearchParams | undefined): Promise<Response> {
  const cookie = [...cookies.values()]
    .filter(({ host, path }) => host === url.host && `${url.pathname}/`.startsWith(path.replace(/\/?$/, "/")))
    .map(({ nameAndValue }) => nameAndValue)
    .join("; ")
  const postHeaders = { "sec-fetch-site": "same-origin", origin: url.origin }
  const response = await fetch(url, {
    redirect: "manual",
    headers: { accept: "text/html", cookie, ...(body === undefined ? {} : postHeaders) },
    ...(body === undefined ? {} : { method: "POST", body }),
  })
  for (const line of response.headers.getSetCookie()) storeCookie(cookies, url.host, line)
  return response
}

function storeCookie(cookies: Map<string, Cookie>, host: string, line: string): void {
  const [nameAndValue = "", ...attributes] = line.split(/; */)
  const path = attributes.find((one) => /^path=/i.test(one))?.slice("path=".length) ?? "/"
  const key = `${host} ${path} ${nameAndValue.split("=")[0]}`
  if (nameAndValue.endsWith("=") || /max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(key)
  else cookies.set(key, { host, path, nameAndValue })
}

function toPage(url: URL, status: number, html: string): Page {
  const heading = textOf(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? "")
  if (status >= 400) throw new Error(`${url.origin}${url.pathname} answered ${status}: ${heading}`)
  return { url, html, heading }
}

const textOf = (html: string): string =>
  unescapeHtml(html.replaceAll(/<[^>]*>/g, ""))
    .replaceAll(/\s+/g, " ")
    .trim()

const attribute = (pattern: RegExp, html: string): string | undefined => {
  const value = pattern.exec(html)?.[1]
  return value === undefined ? undefined : unescapeHtml(value)
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll("&amp;", "&")
