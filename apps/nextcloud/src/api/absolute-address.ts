// Makes the page addresses that Nextcloud apps return absolute: most already are, some omit the server.

import type { Nextcloud } from "./nextcloud.ts"

export const toAbsolute = ({ url }: Nextcloud, link: string): string =>
  link.startsWith("/") ? `${new URL(url).origin}${link}` : link
