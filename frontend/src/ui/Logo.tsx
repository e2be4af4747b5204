/** The wordmark, 164 × 40 (spec §2), in the colours of the theme. */
export function Logo() {
  return (
    <svg className="logo" width={164} height={40} viewBox="0 0 164 40" role="img" aria-label="Orange ID">
      <circle cx="14.25" cy="20" r="11.5" fill="none" stroke="var(--ant-color-primary)" strokeWidth="5.5" />
      <circle cx="14.25" cy="20" r="3.4" fill="var(--ant-color-primary)" />
      <text
        x="36"
        y="26.6"
        fontSize="20.5"
        fontWeight="650"
        letterSpacing="-0.55"
        fill="var(--ant-color-text)"
      >
        Orange
      </text>
      <rect x="111" y="9" width="34" height="22" rx="6" fill="var(--ant-color-text)" />
      <text
        x="128"
        y="25.2"
        fontSize="14.5"
        fontWeight="700"
        letterSpacing="0.6"
        textAnchor="middle"
        fill="var(--ant-color-bg-container)"
      >
        ID
      </text>
    </svg>
  );
}
