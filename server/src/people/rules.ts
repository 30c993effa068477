// What is accepted as an e-mail address, and how long a password is. Pure.

/** Long enough that guessing over the network, and offline against scrypt, is hopeless for all but those that are easy to guess. */
export const PASSWORD_LENGTH_MIN = 12
/** A sentence fits. Longer input only costs work. */
export const PASSWORD_LENGTH_MAX = 256

/** Returns the form in which addresses are stored and compared. */
export function normaliseEmail(email: string): string {
  return email.normalize('NFC').toLowerCase()
}
