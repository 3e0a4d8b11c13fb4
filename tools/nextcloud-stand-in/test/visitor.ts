// A visitor of the stand-in's pages without a browser: keeps cookies, follows links and redirects, fills in forms.

export interface VisitedPage {
  readonly status: number
  readonly url: string
  readonly body: string
  /** The text of the page's heading. */
  readonly heading: string
}

export interface Visitor {
  open(address: string): Promise<VisitedPage>
  /** Follows the link or presses the button with this name on the current page; a form is sent with the given fields. */
  press(name: string, filled?: Readonly<Record<string, string>>): Promise<VisitedPage>
}

export function createVisitor(fetchFrom: (request: Request) => Promise<Response> = fetch): Visitor {
  let cookie = ""
  let last: VisitedPage | undefined

  async function go(address: string, init: RequestInit = {}): Promise<VisitedPage> {
    const headers = new Headers(init.headers)
    headers.set("accept", "text/html")
    if (cookie !== "") headers.set("cookie", cookie)
    const response = await fetchFrom(new Request(address, { ...init, headers, redirect: "manual" }))
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie
    const to = response.headers.get("location")
    if (to !== null) return go(new URL(to, address).href)
    const body = await response.text()
    last = { status: response.status, url: address, body, heading: /<h1>([^<]*)/.exec(body)?.[1] ?? "" }
    return last
  }

  return {
    open: go,
    press(name, filled = {}) {
      const body = last?.body ?? ""
      const link = new RegExp(`<a[^>]* href="([^"]+)"[^>]*>${name}</a>`).exec(body)?.[1]
      if (link !== undefined) return go(plain(link))
      const form = new RegExp(
        `<form method="post" action="([^"]+)">((?:(?!</form>).)*<button[^>]*>${name}</button>)`,
        "s",
      ).exec(body)
      if (form === null) throw new Error(`This page has no link or button “${name}”.`)
      const hidden = [...(form[2] ?? "").matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
      const fields = new URLSearchParams(
        hidden.map(([, key = "", value = ""]): [string, string] => [key, plain(value)]),
      )
      for (const [key, value] of Object.entries(filled)) fields.set(key, value)
      return go(plain(form[1] ?? ""), { method: "POST", body: fields })
    },
  }
}

const plain = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
