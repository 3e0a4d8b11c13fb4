// Addresses that apps of the server give of their own pages: most are whole, some leave out the server.

import type { Nextcloud } from "./nextcloud.ts"

export const toAbsolute = ({ url }: Nextcloud, link: string): string =>
  link.startsWith("/") ? `${new URL(url).origin}${link}` : link
