// Where the identity provider that comes along is mounted, for those who name its people.

export const mount = "/idp"

export const issuerAt = (publicUrl: string): string => `${new URL(publicUrl).origin}${mount}`
