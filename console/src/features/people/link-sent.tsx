// Says truthfully what happens to a new link: whether it is mailed, or has to be passed on.

interface Props {
  readonly email: string
  readonly mail: 'none' | 'limited' | 'waiting' | 'sent' | 'failed'
}

export function LinkSent({ email, mail }: Props) {
  switch (mail) {
    case 'waiting':
    case 'sent':
      return <>We are sending the link to {email}. You can also pass it on yourself.</>
    case 'limited':
      return <>It was not e-mailed, because too many e-mails were sent today. Send it to {email} yourself.</>
    case 'failed':
      return <>The mail to {email} could not be sent. Send the link yourself.</>
    case 'none':
      return <>Send it to {email} yourself; no mail is sent from here.</>
  }
}
