/** Beside a link to a page that is still to come; a part of the link's name. */
export function SoonMark() {
  return (
    <>
      {' '}
      <span className="soon-mark">Soon</span>
    </>
  );
}
