// Removes the passwords of database addresses from everything that is printed.

/** The address without its password, for people. A file stays as it is. */
export function toShownDatabase(database: string): string {
  const masked = isPostgres(database) ? database.replace(/^([^:]+:\/\/[^:/@]*):.*@/, `$1:${mask}@`) : database
  return hidePasswords(masked)
}

/** Removes the passwords of all addresses in a text, and this database's own password, however it was quoted. */
export function redact(text: string, database?: string): string {
  if (database === undefined) return hidePasswords(text)
  const withoutOwn = text.replaceAll(database, toShownDatabase(database))
  return passwordsOf(database).reduce(
    (redacted, secret) => redacted.replaceAll(secret, mask),
    hidePasswords(withoutOwn),
  )
}

export function isPostgres(database: string): boolean {
  return /^postgres(?:ql)?:/i.test(database)
}

const mask = "***"

function hidePasswords(text: string): string {
  return text
    .replace(/(?<![a-z0-9+.-])([a-z0-9+.-]+:\/\/[^\s/:@]*):[^\s/]*@/gi, `$1:${mask}@`)
    .replace(/([?&\s]password=)[^&\s]+/gi, `$1${mask}`)
}

/**
 * The address's password, as written and URL-decoded. Very short passwords and “postgres” are left out: they would
 * match ordinary words.
 */
function passwordsOf(database: string): readonly string[] {
  if (!isPostgres(database)) return []
  const passwords = [/^[^:]+:\/\/[^:/@]*:(.*)@/.exec(database)?.[1], /[?&]password=([^&]*)/i.exec(database)?.[1]]
  const secrets = passwords.filter((secret) => secret !== undefined).flatMap((secret) => [secret, decode(secret)])
  return [...new Set(secrets)].filter((secret) => secret.length > 3 && secret !== "postgres")
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
