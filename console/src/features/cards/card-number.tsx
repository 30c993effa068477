// The number of a card as far as anyone may see it.

export function CardNumber({ last4 }: { last4: string }) {
  return (
    <span className="tabular">
      <span aria-hidden="true">•••• </span>
      <span className="only-for-readers">Card ending in </span>
      {last4}
    </span>
  )
}
