// A person's browser at a provider, as far as tests need one: keeps cookies by host, follows redirects, and stops where
// the provider sends it back to us.

export interface Browser {
  /** Opens the provider's page and returns the address under `redirectUri` to which it was sent in the end. */
  follow(url: string, redirectUri: string): Promise<URL>
}

export function openBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (host: string): Map<string, string> => {
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }

  return {
    async follow(url, redirectUri) {
      let at = new URL(url)
      for (let hop = 0; hop < 12; hop++) {
        if (at.href.startsWith(redirectUri)) return at
        const jar = jarOf(at.host)
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
        const response = await fetch(at, { redirect: "manual", headers: cookie === "" ? {} : { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [pair = ""] = line.split(";")
          const name = pair.slice(0, pair.indexOf("="))
          if (pair.endsWith("=") || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
          else jar.set(name, pair.slice(name.length + 1))
        }
        const location = response.headers.get("location")
        const text = await response.text()
        if (location === null) throw new Error(`${at.pathname} answered ${response.status}: ${text.slice(0, 300)}`)
        at = new URL(location, at)
      }
      throw new Error("too many redirects")
    },
  }
}
