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
      return (
        <>It was not e-mailed: too many e-mails were sent recently or are still waiting. Send it to {email} yourself.</>
      )
    case 'failed':
      return <>The e-mail to {email} could not be sent. Send the link yourself.</>
    case 'none':
      return <>Send it to {email} yourself: this server does not send e-mail.</>
  }
}
