// A browser without a screen, for the scripted person: keeps cookies, follows redirects and submits forms.

export interface Page {
  readonly url: URL
  readonly status: number
  readonly html: string
  /** The text of the h1. */
  readonly heading: string
}

export interface Browser {
  open(url: string | URL): Promise<Page>
  /** Fills in the page's form and presses a button. */
  submit(page: Page, fields: Readonly<Record<string, string>>): Promise<Page>
  /** Sends a request with the browser's cookies, as a script of a page would. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
}

export function openBrowser(): Browser {
  const cookies = new Map<string, { readonly host: string; readonly path: string; readonly pair: string }>()

  const cookiesFor = ({ host: at, pathname }: URL): string =>
    [...cookies.values()]
      .filter(({ host, path }) => host === at && `${pathname}/`.startsWith(path.replace(/\/?$/, "/")))
      .map(({ pair }) => pair)
      .join("; ")

  const load = async (url: URL, body: URLSearchParams | undefined): Promise<Response> => {
    const cookie = cookiesFor(url)
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie, ...(body === undefined ? {} : { "sec-fetch-site": "same-origin" }) },
      ...(body === undefined ? {} : { method: "POST", body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ")
      const path = attributes.find((one) => /^path=/i.test(one))?.slice("path=".length) ?? "/"
      const [name = "", value] = pair.split("=")
      const key = `${url.host} ${path} ${name}`
      if (value === "" || /max-age=0\b/i.test(line)) cookies.delete(key)
      else cookies.set(key, { host: url.host, path, pair })
    }
    return response
  }

  const visit = async (first: string | URL, form?: URLSearchParams): Promise<Page> => {
    let url = new URL(first)
    let body = form
    for (let hop = 0; hop < 20; hop++) {
      const response = await load(url, body)
      const html = await response.text()
      const next = response.headers.get("location") ?? unescaped(/http-equiv="refresh" content="0; url=([^"]*)"/, html)
      if (next === undefined) {
        const heading = (unescaped(/<h1>([\s\S]*?)<\/h1>/, html) ?? "").replaceAll(/<[^>]*>/g, "")
        return { url, status: response.status, html, heading }
      }
      url = new URL(next, url)
      body = undefined
    }
    throw new Error(`There is no end to the redirects at ${url.origin}${url.pathname}.`)
  }

  return {
    open: (url) => visit(url),
    fetch(address, init = {}) {
      const url = new URL(address)
      const headers = new Headers(init.headers)
      headers.set("cookie", cookiesFor(url))
      headers.set("origin", url.origin)
      return fetch(url, { ...init, headers })
    },
    submit({ url, html }, fields) {
      const action = unescaped(/<form[^>]* action="([^"]*)"/, html) ?? url
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
      const hiddenFields = hidden.map(([, name = "", value = ""]) => [name, value] as const)
      return visit(new URL(action, url), new URLSearchParams({ ...Object.fromEntries(hiddenFields), ...fields }))
    },
  }
}

function unescaped(pattern: RegExp, html: string): string | undefined {
  return pattern.exec(html)?.[1]?.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&")
}
