variable "region" {
  description = "Region of the tables and functions."
  type        = string
  default     = "ap-northeast-2"
}

variable "prefix" {
  description = "Prefix of all resource names. Must equal VWR_DYNAMODB_PREFIX of the processes with the role line."
  type        = string
  default     = "fairline"
}

variable "site" {
  description = "Public host name, such as tickets.example.com."
  type        = string
}

variable "certificate_arn" {
  description = "ARN of the certificate for the public host name, in us-east-1."
  type        = string
}

variable "site_origin" {
  description = "Host name of the site behind the gate."
  type        = string
}

variable "line_origin" {
  description = "Host name of an instance with the role line, or of its load balancer."
  type        = string
}

variable "package" {
  description = "Zip file of the program: dist/, package.json and node_modules (see README.md)."
  type        = string
}

variable "edge_package" {
  description = "Zip file of the bundled gate: index.mjs (see README.md). Contains secrets."
  type        = string
}

variable "vwr_token_secret" {
  description = "VWR_TOKEN_SECRET of the line."
  type        = string
  sensitive   = true
}

variable "batch_size" {
  description = "Visitors served per cycle."
  type        = number
  default     = 500
}

variable "cycle_ms" {
  description = "Length of a cycle in ms."
  type        = number
  default     = 10000
}

variable "cdn_ranges" {
  description = "IP ranges of CloudFront, whose X-Forwarded-For is trusted (managed prefix list com.amazonaws.global.cloudfront.origin-facing)."
  type        = list(string)
}
