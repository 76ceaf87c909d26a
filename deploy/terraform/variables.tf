variable "region" {
  description = "Where tables and functions are."
  type        = string
  default     = "ap-northeast-2"
}

variable "prefix" {
  description = "What all names begin with; VWR_DYNAMODB_PREFIX of the processes with the line."
  type        = string
  default     = "fairline"
}

variable "site" {
  description = "The name under which visitors come, as tickets.example.com."
  type        = string
}

variable "certificate_arn" {
  description = "Certificate for that name, in us-east-1."
  type        = string
}

variable "site_origin" {
  description = "Host name of the site behind the gate."
  type        = string
}

variable "line_origin" {
  description = "Host name of an instance, or a balancer of instances, with the role line."
  type        = string
}

variable "package" {
  description = "The program as a zip file: dist/, package.json and node_modules (README.md beside this file)."
  type        = string
}

variable "edge_package" {
  description = "The bundled gate as a zip file: index.mjs (README.md beside this file). It holds secrets."
  type        = string
}

variable "vwr_token_secret" {
  description = "VWR_TOKEN_SECRET of the line."
  type        = string
  sensitive   = true
}

variable "batch_size" {
  description = "How many are served in a cycle."
  type        = number
  default     = 500
}

variable "cycle_ms" {
  description = "How long a cycle is."
  type        = number
  default     = 10000
}

variable "cdn_ranges" {
  description = "Addresses of CloudFront, whose word on where a visitor comes from counts (managed prefix list com.amazonaws.global.cloudfront.origin-facing)."
  type        = list(string)
}
