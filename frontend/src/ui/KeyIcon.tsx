/** A key that lies flat: at the sidebar's size, the slanted one of the icon set looks like a magnifying glass. */
export function KeyIcon() {
  return (
    <svg
      width="1em"
      height="1em"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <circle cx="7" cy="11" r="5.5" />
      <path d="M12.5 11H23v6.5M18 11v5" />
    </svg>
  );
}
