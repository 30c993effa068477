// The last four digits of a card's number, which are all that the console has.

export function CardNumber({ last4 }: { last4: string }) {
  return (
    <span className="tabular">
      <span aria-hidden="true">•••• </span>
      <span className="only-for-readers">Card ending in </span>
      {last4}
    </span>
  )
}
