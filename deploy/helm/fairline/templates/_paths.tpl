{{/* Paths of the shop, as regular expressions that match the whole path. All other paths are the line's. */}}
{{- define "fairline.shopPaths" -}}
- /api/(v1/)?((auth|seats|reservations|payments|transfers|memberships|stats|tickets|admin/accounts|admin/bookings|admin/events|admin/layouts)(/.*)?|events(/[^/]*)?)$
- /(me|membership|sign-in|forgot-password|reset-password|confirm-email|find-ticket|shared-ticket|posters/[^/]+|assets/.+|checkout/([^/]+/)?[^/]+|reservations/[^/]+|events/[^/]+(/(seats|book))?)?$
{{- end }}
