// Which new passwords are refused, and what the refusal says.
import { describe, expect, it } from 'vitest'
import { findPasswordProblem } from './password-strength.ts'

const ADA = { email: 'ada.lovelace@engine.example', name: 'Ada Lovelace' }

describe('a new password is refused', () => {
  it.each([
    ['elevenchars', /^is shorter than 12 characters$/],
    ['x'.repeat(257), /^is longer than 256 characters$/],
    ['Password1234', /^is a common password with small changes\. Use several words/],
    ['Password1234!', /^is a common password with small changes/],
    ['P@ssw0rd2026!', /^is a common password with small changes/],
    ['1qaz2wsx3edc4rfv', /^is one of the most common passwords/],
    ['abcabcabcabc', /^repeats the same few characters/],
    ['zxcvbnm,./12', /^is a row of keys/],
    ['ada.lovelace@engine.example', /^is made of your name/],
    ['Lovelace1815!', /^is made of your name/],
    ['Cardstock2026!', /^is made of your name/],
    ['Summer2026!!', /^is made of a common word, name or date/],
  ])('%s', async (password, problem) => expect(await findPasswordProblem(password, ADA)).toMatch(problem))

  // The hand-made list of earlier releases.
  it.each(
    `
      1q2w3e4r5t6y 1q2w3e4r5t6y7u8i 1qaz2wsx3edc 123123123123 123456789012 123456789abc 123qweasdzxc 1234qwerasdf abc123456789
      abcd12345678 administrator administrator1 adminadmin12 adminadminadmin adminpassword asdfghjkl123 basketball12 changeme1234
      changemenow1 changemeplease chocolate123 computer1234 correcthorsebatterystaple defaultpassword football1234 iloveyou1234
      iloveyouforever letmein12345 letmeinplease michaeljackson mypassword12 mypassword123 newpassword1 newpassword123
      p@ssw0rd1234 p@ssword1234 passw0rd1234 password12345 password123456 password1234567 password123! password2024
      password2025 password2026 passwordpassword princess1234 q1w2e3r4t5y6 qazwsxedc123 qazwsxedcrfv qwerty123456
      qwerty1234567 qwertyqwerty qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyuiop1234567890 qwertyuiopasdfghjkl
      secretpassword spiderman123 starwars1234 sunshine1234 superman1234 test12345678 testpassword thisisapassword
      trustno11234 unbelievable welcome12345 welcome123456 welcometothejungle zaq12wsxcde3 zxcvbnm12345 zxcvbnm,./12
    `
      .trim()
      .split(/\s+/),
  )('%s, as before', async (password) => expect(await findPasswordProblem(password, ADA)).toBeDefined())
})

describe('a new password is accepted', () => {
  it.each([
    'a quiet horse walks home',
    'eleven brown foxes',
    'kX9#mQ2$vL7p',
    'x7Gk2pQ9vLm4',
    'dünne Wände im Schloss',
    '静かな馬が家に帰る夕方の道',
    `${'a sentence that goes on and on '.repeat(8)}.`,
  ])('%s', async (password) => expect(await findPasswordProblem(password, ADA)).toBeUndefined())
})
