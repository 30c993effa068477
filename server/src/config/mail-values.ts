// Turns the texts of the settings of e-mail into their values. As in setting-values.ts, a message completes the sentence "<NAME> …".

/** The address of the mail server. Elsewhere than on this machine, `smtp` becomes TLS by STARTTLS before anything else is sent. */
export const smtpUrl = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if ((url?.protocol !== 'smtp:' && url?.protocol !== 'smtps:') || url.hostname === '')
    throw new TypeError('must be smtp://user:password@host:port, or smtps:// for a port that begins with TLS')
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '')
    throw new TypeError('must end after the port; write special characters of the user and the password as %XX')
  if ([...url.searchParams.keys()].some((name) => name !== 'sslrootcert'))
    throw new TypeError('may have no parameter but sslrootcert, the file with the certificate of your own authority')
  if ((url.username === '') !== (url.password === ''))
    throw new TypeError('must have both a user and a password, or neither')
  return value
}

/** The longest address that mail servers take. */
const EMAIL_LENGTH_MAX = 254
/** A name that mail programs show in full. */
const SENDER_NAME_LENGTH_MAX = 100

export interface MailSender {
  readonly name: string
  readonly address: string
}

/** Takes an address, or a name with the address in angle brackets. */
export const mailSender = (value: string): MailSender => {
  const open = value.lastIndexOf('<')
  const isNamed = open > 0 && value.endsWith('>')
  const name = isNamed ? value.slice(0, open).trim() : ''
  const address = isNamed ? value.slice(open + 1, -1) : value
  if (!isAddress(address) || name.length > SENDER_NAME_LENGTH_MAX || /[\p{C}"<>]/u.test(name))
    throw new TypeError('must be an e-mail address, or a name and an address: Cards <cards@example.com>')
  return { name, address }
}

function isAddress(text: string): boolean {
  const parts = text.split('@')
  return parts.length === 2 && parts.every((part) => /^[^\s"(),:;<>\\]+$/.test(part)) && text.length <= EMAIL_LENGTH_MAX
}
