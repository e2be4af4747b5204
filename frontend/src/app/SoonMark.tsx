/** Marks a link to a page that isn't available yet; part of the link's accessible name. */
export function SoonMark() {
  return (
    <>
      {' '}
      <span className="soon-mark">Soon</span>
    </>
  );
}
