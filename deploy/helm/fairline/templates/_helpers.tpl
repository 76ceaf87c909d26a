{{- define "fairline.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* First part of all names. Short enough for the longest suffix. */}}
{{- define "fairline.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 45 | trimSuffix "-" }}
{{- else }}
{{- $name := include "fairline.name" . }}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) }}
{{- $full | trunc 45 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* Labels of an object. Argument: dict "root" $ "component" NAME. */}}
{{- define "fairline.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: fairline
{{ include "fairline.selector" . }}
{{- end }}

{{/* Labels by which Deployments and Services find pods. Stores and jobs are no `fairline` pods: they serve no visitors. */}}
{{- define "fairline.selector" -}}
{{ include "fairline.everyone" . }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "fairline.everyone" -}}
{{- $isProgram := has (.component | default "line") (list "line" "admitter" "shop" "keeper" "gate" "settings") -}}
app.kubernetes.io/name: {{ ternary (include "fairline.name" .root) (printf "%s-%s" (include "fairline.name" .root) .component) $isProgram }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- end }}

{{- define "fairline.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- .Values.serviceAccount.name | default (include "fairline.fullname" .) }}
{{- else }}
{{- .Values.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{- define "fairline.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{- define "fairline.secretName" -}}
{{- .Values.secrets.existingSecret | default (include "fairline.fullname" .) }}
{{- end }}

{{- define "fairline.keysSecretName" -}}
{{- .Values.tokens.keys.existingSecret | default (printf "%s-token-keys" (include "fairline.fullname" .)) }}
{{- end }}

{{- define "fairline.lineUrl" -}}
{{- if .Values.gate.lineUrl }}
{{- .Values.gate.lineUrl }}
{{- else }}
{{- printf "http://%s-line:%v" (include "fairline.fullname" .) .Values.service.port }}
{{- end }}
{{- end }}

{{/* Names of the secrets that the chart generates, if they are not in secrets.values. */}}
{{- define "fairline.generated" -}}
{{- $names := list "ADMIN_TOKEN" "FAIRLINE_SECRET" "SERVICE_KEY" }}
{{- if eq .Values.tokens.algorithm "HS256" }}
{{- $names = concat $names (include "fairline.sharedSecrets" . | fromYamlArray) }}
{{- end }}
{{- ternary $names list .Values.line.enabled | toYaml }}
{{- end }}

{{/* Names of the secrets that sign tokens without key pairs. Gates need them too. */}}
{{- define "fairline.sharedSecrets" -}}
[{{ if eq .Values.tokens.algorithm "HS256" }}QUEUE_ENTRY_TOKEN_SECRET, VWR_TOKEN_SECRET{{ end }}]
{{- end }}

{{/* Names of the secrets that a gate must have. */}}
{{- define "fairline.gateSecrets" -}}
{{- concat (include "fairline.sharedSecrets" . | fromYamlArray) .Values.gate.secretKeys | uniq | toYaml }}
{{- end }}

{{/* A secret of the release: the one in the cluster, or a new one. Argument: dict "old" DATA "name" KEY. In Base64. */}}
{{- define "fairline.keptOrNew" -}}
{{- index .old .name | default (randAlphaNum 48 | b64enc) }}
{{- end }}

{{/* The volume claim `data` of a store. Argument: its values `storage`. */}}
{{- define "fairline.claim" -}}
{{- if .enabled -}}
volumeClaimTemplates:
  - metadata: { name: data }
    spec:
      accessModes: [ReadWriteOnce]
      {{- with .className }}
      storageClassName: {{ . }}
      {{- end }}
      resources: { requests: { storage: {{ .size }} } }
{{- end }}
{{- end }}

{{/* Values that are valid alone but not together. */}}
{{- define "fairline.check" -}}
{{- with .Values }}
{{- if and .shop.enabled (not .line.enabled) }}
{{- fail "shop.enabled is true and line.enabled is false: the shop needs the line; set shop.enabled to false" }}
{{- end }}
{{- if not (or .line.enabled .gate.enabled) }}
{{- fail "line.enabled and gate.enabled are both false: enable one of them" }}
{{- end }}
{{- if and .gate.enabled (not .line.enabled) (not .gate.lineUrl) }}
{{- fail "gate.lineUrl is empty: expected the URL of the line, because line.enabled is false" }}
{{- end }}
{{- if and .gate.enabled (not .gate.upstream) (not .settings.GATE_SITES_FILE) }}
{{- fail "gate.upstream is empty: expected the URL of the site behind the gate, or settings.GATE_SITES_FILE for several" }}
{{- end }}
{{- $hasRedis := or .redis.own .redis.url .redis.existingSecret.name .secrets.existingSecret .settings.REDIS_CLUSTER .settings.REDIS_SENTINELS }}
{{- if and .line.enabled (not $hasRedis) }}
{{- fail "redis.own is false and no Redis is given: set redis.url, redis.existingSecret, or REDIS_CLUSTER or REDIS_SENTINELS in settings" }}
{{- end }}
{{- if and .shop.enabled (not (or .postgresql.own .postgresql.url .postgresql.existingSecret.name .secrets.existingSecret)) }}
{{- fail "postgresql.own is false and no PostgreSQL is given: set postgresql.url or postgresql.existingSecret, or shop.enabled to false" }}
{{- end }}
{{- if and .gate.enabled (not .secrets.existingSecret) }}
{{- range include "fairline.gateSecrets" $ | fromYamlArray }}
{{- if not (or (hasKey $.Values.secrets.values .) (has . (include "fairline.generated" $ | fromYamlArray))) }}
{{- fail (printf "the gate needs %s, which is in no Secret: set secrets.values.%s or secrets.existingSecret" . .) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .ingress.enabled (not (or .ingress.host .ingress.gateHost)) }}
{{- fail "ingress.host is empty: expected the host name of line and shop, or ingress.gateHost for the site behind the gate" }}
{{- end }}
{{- if and .httpRoute.enabled (not (and .httpRoute.parentRefs (or .httpRoute.host .httpRoute.gateHost))) }}
{{- fail "httpRoute requires parentRefs, and host or gateHost" }}
{{- end }}
{{- end }}
{{- end }}
